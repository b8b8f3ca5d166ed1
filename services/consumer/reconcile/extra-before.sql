-- Of these assignments: which the platform did not list before either, and has not listed since.
SELECT assignment_id
FROM rollcall.reconcile_findings
WHERE assignment_id IN {assignments:Array(String)} AND found_at >= {since:DateTime64(3, 'UTC')}
GROUP BY assignment_id
HAVING argMax(kind, found_at) = 'extra' AND minIf(found_at, kind = 'extra') <= {by:DateTime64(3, 'UTC')}
