-- Who reports directly to whom as of an instant; reporting-lines.ts computes who is under whom.
SELECT manager_id, groupArray(report_id) AS report_ids
FROM rollcall.links_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
GROUP BY manager_id
