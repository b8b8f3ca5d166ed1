-- Subscriptions, what was sent, and alerts: dashboards send digests.
GRANT
    INSERT ON rollcall.digest_subscriptions,
    INSERT ON rollcall.digest_sends,
    INSERT ON rollcall.alert_states
TO rollcall_dashboards
