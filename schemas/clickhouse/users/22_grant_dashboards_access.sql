-- Roles, tokens, ended sessions and the audit: the only tables that dashboards write.
GRANT
    INSERT ON rollcall.access_people,
    INSERT ON rollcall.access_tokens,
    INSERT ON rollcall.access_token_uses,
    INSERT ON rollcall.access_session_ends,
    INSERT ON rollcall.access_audit
TO rollcall_dashboards
