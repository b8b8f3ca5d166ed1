-- What the tables of versions consist of: counts are kept by part (docs/decisions/0005-one-statement-per-page.md). Without it every answer is
-- counted anew.
GRANT SELECT ON system.parts TO rollcall_dashboards
