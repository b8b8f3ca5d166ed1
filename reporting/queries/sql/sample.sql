SELECT 1 FROM rollcall.settings WHERE name = 'sample' AND value = 'true' LIMIT 1
