-- Saved views.
GRANT INSERT ON rollcall.access_views TO rollcall_dashboards
