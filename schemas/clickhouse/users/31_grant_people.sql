GRANT SELECT ON rollcall.people TO rollcall_people
