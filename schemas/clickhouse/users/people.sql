-- Names and e-mails: given beside rollcall_analyst, to those who may see them.
CREATE ROLE IF NOT EXISTS rollcall_people;

GRANT SELECT ON rollcall.people TO rollcall_people;
