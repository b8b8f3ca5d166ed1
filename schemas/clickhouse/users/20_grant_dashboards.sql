GRANT SELECT ON rollcall.* TO rollcall_dashboards
