-- rollcall_dashboards: pages, the JSON API and digests.
-- No readonly: the grants leave nothing to write but what sign-in needs. A statement may bring settings of its own: an export takes an hour.
CREATE SETTINGS PROFILE IF NOT EXISTS rollcall_dashboards
SETTINGS max_execution_time = 120 MAX 3600, max_memory_usage = 8589934592 MAX 17179869184;

CREATE ROLE IF NOT EXISTS rollcall_dashboards SETTINGS PROFILE 'rollcall_dashboards';

GRANT SELECT ON rollcall.* TO rollcall_dashboards;

-- Raw bodies hold more about people than any page shows.
REVOKE SELECT ON rollcall.event_bodies FROM rollcall_dashboards;

-- Records, and the audit. Analysts read neither.
GRANT
    INSERT ON rollcall.records,
    INSERT ON rollcall.access_audit
TO rollcall_dashboards;

-- What the tables of versions consist of: counts are kept by part (docs/decisions/0005-one-read-path.md). Without it every answer is
-- counted anew.
GRANT SELECT ON system.parts TO rollcall_dashboards;
