CREATE ROLE IF NOT EXISTS rollcall_analyst SETTINGS PROFILE 'rollcall_analyst'
