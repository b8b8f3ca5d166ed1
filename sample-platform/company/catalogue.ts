/**
 * The challenges of the company, and for which teams. The numbers give charts a story: one challenge is graded by a single busy
 * reviewer, one is graded harshly and unevenly, some teams are always late.
 */
export type Department = 'Sales' | 'Customer Success' | 'Support' | 'Engineering' | 'Marketing' | 'Operations'

/** `pace` stretches how long the team takes (1 = usual); `neglect` is how often an assignment is never begun. */
export type TeamPlan = { name: string; department: Department; share: number; pace: number; neglect: number }

export const teamPlans: readonly TeamPlan[] = [
  { name: 'Sales North', department: 'Sales', share: 11, pace: 1.7, neglect: 0.13 },
  { name: 'Sales South', department: 'Sales', share: 10, pace: 0.9, neglect: 0.04 },
  { name: 'Enterprise Sales', department: 'Sales', share: 8, pace: 1.2, neglect: 0.07 },
  { name: 'Inside Sales', department: 'Sales', share: 12, pace: 0.7, neglect: 0.03 },
  { name: 'Customer Success EMEA', department: 'Customer Success', share: 9, pace: 0.85, neglect: 0.03 },
  { name: 'Customer Success Americas', department: 'Customer Success', share: 8, pace: 1.05, neglect: 0.05 },
  { name: 'Support Tier 1', department: 'Support', share: 11, pace: 0.8, neglect: 0.03 },
  { name: 'Support Tier 2', department: 'Support', share: 7, pace: 1, neglect: 0.05 },
  { name: 'Platform Engineering', department: 'Engineering', share: 8, pace: 1.5, neglect: 0.1 },
  { name: 'Product Engineering', department: 'Engineering', share: 9, pace: 1.15, neglect: 0.06 },
  { name: 'Marketing', department: 'Marketing', share: 7, pace: 1, neglect: 0.05 },
  { name: 'Finance and People', department: 'Operations', share: 6, pace: 0.75, neglect: 0.02 },
  { name: 'Field Services', department: 'Operations', share: 5, pace: 1.9, neglect: 0.16 },
]

/** Groups that cut across teams: their members are in two groups. */
export const circles = ['New managers circle', 'Workplace first aiders'] as const

/** Who grades, and how fast: median working time to a grade, stretched by the backlog; `auto` grades at once. */
type Grading = { by: 'auto' } | { by: 'reviewers'; medianHours: number; parts: number; dueDays: number }

const auto: Grading = { by: 'auto' }

function reviewed(medianHours: number, parts = 1, dueDays = 7): Grading {
  return { by: 'reviewers', medianHours, parts, dueDays }
}

export type ChallengePlan = ReturnType<typeof challenge>

function challenge(
  title: string,
  audience: readonly Department[] | 'everyone' | 'managers',
  /** Given to everyone who joins. */
  onboarding: boolean,
  /** Weeks between two waves, and the week of the first. */
  everyWeeks: number,
  firstWeek: number,
  dueDays: number,
  /** Median days from assignment to hand-in. */
  usualDays: number,
  meanGrade: number,
  gradeSpread: number,
  passMark: number,
  grading: Grading,
) {
  const waves = { everyWeeks, firstWeek, dueDays, usualDays }
  return { title, audience, onboarding, ...waves, meanGrade, gradeSpread, passMark, grading }
}

// prettier-ignore
export const challengePlans: readonly ChallengePlan[] = [
  //        title                                         audience                                    joiners every first due usual mean spread pass grading
  challenge('Discovery call: first 10 minutes',           ['Sales'],                                  false,     6,    0, 14,    7,  81,     9,  70, reviewed(30, 2)),
  challenge('Objection handling: price',                  ['Sales'],                                  false,     7,    2, 14,    9,  74,    11,  70, reviewed(44, 2)),
  challenge('Negotiation: giving and getting',            ['Sales', 'Customer Success'],              false,     8,    4, 21,   12,  79,     8,  70, reviewed(260, 3, 10)),
  challenge('Demo of the new dashboard',                  ['Sales', 'Customer Success', 'Marketing'], false,     9,    1, 14,    6,  84,     7,  75, reviewed(36)),
  challenge('Quarterly business review: the first slide', ['Customer Success'],                       false,     6,    3, 14,    8,  80,     9,  70, reviewed(52, 2)),
  challenge('Security awareness 2026',                    'everyone',                                 true,     13,    1, 30,   15,  91,     7,  80, auto),
  challenge('Data protection basics',                     'everyone',                                 true,     13,    6, 30,   16,  88,     8,  80, auto),
  challenge('Code of conduct: five cases',                'everyone',                                 true,     13,   10, 21,   11,  93,     5,  80, auto),
  challenge('Our story in two minutes',                   ['Sales', 'Customer Success', 'Marketing'], true,     12,    5, 14,    6,  83,     8,  70, reviewed(28)),
  challenge('Product fundamentals',                       'everyone',                                 true,     17,    8, 21,    9,  82,    10,  70, auto),
  challenge('A support answer people understand',         ['Support'],                                false,     5,    2, 10,    4,  85,     8,  70, reviewed(20)),
  challenge('De-escalation: the angry caller',            ['Support', 'Customer Success'],            false,     7,    3, 14,    7,  66,    16,  70, reviewed(64, 2)),
  challenge('Incident report in practice',                ['Engineering', 'Support', 'Operations'],   false,     8,    7, 14,    8,  80,    10,  70, auto),
  challenge('Feedback that helps',                        'managers',                                 false,     8,    5, 21,   14,  82,     8,  70, reviewed(150, 2, 10)),
]

export const guidePlans: readonly {
  title: string
  tasks: number
  questions: number
  audience: Department | 'everyone'
}[] = [
  { title: 'Welcome to the company', tasks: 12, questions: 8, audience: 'everyone' },
  { title: 'How we sell', tasks: 18, questions: 20, audience: 'Sales' },
  { title: 'The customer journey', tasks: 10, questions: 6, audience: 'Customer Success' },
  { title: 'Working a ticket from start to end', tasks: 14, questions: 12, audience: 'Support' },
  { title: 'Secure coding', tasks: 16, questions: 24, audience: 'Engineering' },
  { title: 'Travel and expenses', tasks: 5, questions: 0, audience: 'everyone' },
]

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
