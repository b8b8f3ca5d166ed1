ALTER TABLE rollcall.alert_states
ADD COLUMN IF NOT EXISTS translations Map(String, String) COMMENT 'The same as detail in the other languages of mails, by language'
