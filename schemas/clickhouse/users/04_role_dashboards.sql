CREATE ROLE IF NOT EXISTS rollcall_dashboards SETTINGS PROFILE 'rollcall_dashboards'
