-- The platform goes on sending the titles that name a person.
ALTER TABLE rollcall.erasures
    ADD COLUMN IF NOT EXISTS titles Map(String, String) COMMENT 'Titles and names of teams that held the name: SHA-256, in hexadecimal, of each in lower case, and what is left of it'
