-- The analysts' contract: names and e-mails. No other view of the contract holds them, so that they have a grant of their own.
CREATE OR REPLACE VIEW rollcall.people
(
    user_id String COMMENT 'user.id as text',
    name Nullable(String) COMMENT 'Name, as last sent',
    email Nullable(String) COMMENT 'Email, as last sent'
) AS
SELECT user_id, nullIf(name, '') AS name, nullIf(email, '') AS email
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
COMMENT 'Names and emails of people as of now; personal data'
