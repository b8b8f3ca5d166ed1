-- Share links and how often they were opened.
GRANT
    INSERT ON rollcall.access_shares,
    INSERT ON rollcall.access_share_opens
TO rollcall_dashboards
