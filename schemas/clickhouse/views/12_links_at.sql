-- Building block. Who reports directly to whom as of an instant, leavers included. Statements made after both the
-- instant and now do not count. Indirect reports follow these links, which may form a circle.
CREATE OR REPLACE VIEW rollcall.links_at AS
SELECT manager_id, report_id
FROM rollcall.link_versions
WHERE is_there
    AND valid_from <= {as_of:DateTime64(3, 'UTC')} AND valid_to > {as_of:DateTime64(3, 'UTC')}
    AND stated_at <= greatest({as_of:DateTime64(3, 'UTC')}, {now:DateTime64(3, 'UTC')})
GROUP BY manager_id, report_id
HAVING sum(sign) > 0
COMMENT 'Direct reports as of an instant (parameters as_of, now); a building block'
