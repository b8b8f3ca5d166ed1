-- Raw bodies hold more about people than any page shows.
REVOKE SELECT ON rollcall.event_bodies FROM rollcall_dashboards
