-- Building block. The state of every assignment known at an instant, still signed: count by sum(sign), never by count().
CREATE OR REPLACE VIEW rollcall.versions_at AS
SELECT * FROM rollcall.open_versions
WHERE valid_from <= {as_of:DateTime64(3, 'UTC')}
UNION ALL
SELECT * FROM rollcall.closed_versions
WHERE valid_to > {as_of:DateTime64(3, 'UTC')} AND valid_from <= {as_of:DateTime64(3, 'UTC')}
COMMENT 'Signed states as of an instant (parameter as_of); a building block'
