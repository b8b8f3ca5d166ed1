SELECT count() AS parts
FROM system.parts
WHERE database = 'rollcall' AND NOT active
    AND table IN ('event_bodies', 'failed_event_rows', 'user_observations', 'user_versions', 'names', 'guide_rows', 'guide_order_rows', 'guide_order_steps', 'access_people', 'access_audit', 'access_session_ends', 'digest_subscriptions', 'digest_sends')
SETTINGS output_format_json_quote_64bit_integers = 0
