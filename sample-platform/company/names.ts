/** Names of people. Families and given names are mixed freely. */
// prettier-ignore
export const givenNames = [
  'Adaeze', 'Aisha', 'Akira', 'Alejandro', 'Amara', 'Amelie', 'Anders', 'Aneta', 'Anjali', 'Antoine', 'Ayşe', 'Beatriz',
  'Bogdan', 'Caroline', 'Catarina', 'Chidi', 'Chloé', 'Daniel', 'David', 'Deniz', 'Diego', 'Eilidh', 'Elena', 'Elif',
  'Emeka', 'Emma', 'Erik', 'Fatima', 'Femi', 'Fiona', 'François', 'Freya', 'Giulia', 'Grace', 'Hanna', 'Hana', 'Haruto',
  'Henrik', 'Ibrahim', 'Ines', 'Ingrid', 'Isabel', 'Ivan', 'Jakub', 'James', 'Jana', 'Jasmine', 'João', 'Jonas', 'Julia',
  'Kaito', 'Karim', 'Katarzyna', 'Kenji', 'Kwame', 'Lars', 'Laura', 'Layla', 'Leila', 'Leon', 'Lina', 'Linh', 'Lucía',
  'Luis', 'Maja', 'Malik', 'Marco', 'Mariam', 'Marta', 'Mateo', 'Matthew', 'Mei', 'Michael', 'Miguel', 'Min-jun', 'Mira',
  'Nadia', 'Nia', 'Nikhil', 'Noor', 'Ola', 'Oliver', 'Olivia', 'Omar', 'Oskar', 'Paulo', 'Petra', 'Priya', 'Rahul',
  'Rania', 'Rebecca', 'Renata', 'Rosa', 'Ruth', 'Sam', 'Samira', 'Sanjay', 'Sara', 'Sebastian', 'Seo-yeon', 'Siobhán',
  'Sofia', 'Stefan', 'Sunita', 'Tariq', 'Thabo', 'Thomas', 'Tomasz', 'Uma', 'Valentina', 'Viktor', 'Wei', 'Yara', 'Yuki',
  'Yusuf', 'Zanele', 'Zoe', 'Zofia',
] as const

// prettier-ignore
export const familyNames = [
  'Abiodun', 'Acheampong', 'Adeyemi', 'Ahmed', 'Almeida', 'Andersson', 'Baker', 'Banerjee', 'Becker', 'Bianchi', 'Brown',
  'Campbell', 'Castro', 'Chen', 'Choi', 'Clarke', 'Costa', 'Çelik', 'Dahl', 'Das', 'Davies', 'Demir', 'Diallo', 'Dimitrov',
  'Dubois', 'Dlamini', 'Eriksen', 'Evans', 'Fernández', 'Ferrari', 'Fischer', 'Fofanah', 'García', 'Gill', 'González',
  'Gruber', 'Gupta', 'Haddad', 'Hansen', 'Hassan', 'Hernández', 'Hoffmann', 'Horváth', 'Hughes', 'Ibarra', 'Ito', 'Iyer',
  'Jansen', 'Jensen', 'Jovanović', 'Kamara', 'Kaya', 'Kelly', 'Khan', 'Kim', 'Kimura', 'Koch', 'Kowalska', 'Kumar',
  'Lambert', 'Larsen', 'Lee', 'Lefèvre', 'Li', 'Lindqvist', 'López', 'MacLeod', 'Martin', 'Mbeki', 'Mehta', 'Mensah',
  'Meyer', 'Moreau', 'Moretti', 'Müller', 'Mutasa', 'Nakamura', 'Nair', 'Ndiaye', 'Nguyen', 'Nielsen', 'Novák', 'Nowak',
  "O'Brien", "O'Connor", 'Okafor', 'Okoye', 'Oliveira', 'Osei', 'Park', 'Patel', 'Pereira', 'Petrov', 'Pham', 'Popescu',
  'Rahman', 'Ramos', 'Rao', 'Rivera', 'Rossi', 'Ruiz', 'Saito', 'Salazar', 'Santos', 'Sato', 'Schmidt', 'Schneider',
  'Scott', 'Sharma', 'Silva', 'Singh', 'Smith', 'Sørensen', 'Svensson', 'Szabó', 'Tanaka', 'Taylor', 'Thompson', 'Tran',
  'Van den Berg', 'Van Dijk', 'Vasquez', 'Virtanen', 'Wagner', 'Walker', 'Wang', 'Weber', 'Williams', 'Wilson', 'Wójcik',
  'Yamamoto', 'Yılmaz', 'Zhang', 'Zimmermann',
] as const

export const offices = ['Berlin', 'Dublin', 'Lisbon', 'Singapore', 'Toronto', 'Remote'] as const

/** The part before the @, in plain letters. */
export function toMailbox(name: string): string {
  const plain: Record<string, string> = { ø: 'o', ł: 'l', ı: 'i', ß: 'ss', æ: 'ae', đ: 'd' }
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[øłıßæđ]/g, (letter) => plain[letter] ?? '')
    .replace(/[^a-z -]/g, '')
    .trim()
    .replace(/ +/g, '.')
}
