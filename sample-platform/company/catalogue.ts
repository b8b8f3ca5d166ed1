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
  /** Median working hours to a grade; 0: graded at once. */
  gradingHours: number,
  /** Days that reviewers have. */
  gradingDays = 7,
) {
  const waves = { everyWeeks, firstWeek, dueDays, usualDays }
  const grades = { meanGrade, gradeSpread, passMark, gradingHours, gradingDays }
  return { title, audience, onboarding, ...waves, ...grades }
}

// prettier-ignore
export const challengePlans: readonly ChallengePlan[] = [
  //        title                                         audience                                    joiners every first due usual mean spread pass hours of grading
  challenge('Discovery call: first 10 minutes',           ['Sales'],                                  false,     6,    0, 14,    7,  81,     9,  70, 30),
  challenge('Objection handling: price',                  ['Sales'],                                  false,     7,    2, 14,    9,  74,    11,  70, 44),
  challenge('Negotiation: giving and getting',            ['Sales', 'Customer Success'],              false,     8,    4, 21,   12,  79,     8,  70, 260, 10),
  challenge('Demo of the new dashboard',                  ['Sales', 'Customer Success', 'Marketing'], false,     9,    1, 14,    6,  84,     7,  75, 36),
  challenge('Quarterly business review: the first slide', ['Customer Success'],                       false,     6,    3, 14,    8,  80,     9,  70, 52),
  challenge('Security awareness 2026',                    'everyone',                                 true,     13,    1, 30,   15,  91,     7,  80, 0),
  challenge('Data protection basics',                     'everyone',                                 true,     13,    6, 30,   16,  88,     8,  80, 0),
  challenge('Code of conduct: five cases',                'everyone',                                 true,     13,   10, 21,   11,  93,     5,  80, 0),
  challenge('Our story in two minutes',                   ['Sales', 'Customer Success', 'Marketing'], true,     12,    5, 14,    6,  83,     8,  70, 28),
  challenge('Product fundamentals',                       'everyone',                                 true,     17,    8, 21,    9,  82,    10,  70, 0),
  challenge('A support answer people understand',         ['Support'],                                false,     5,    2, 10,    4,  85,     8,  70, 20),
  challenge('De-escalation: the angry caller',            ['Support', 'Customer Success'],            false,     7,    3, 14,    7,  66,    16,  70, 64),
  challenge('Incident report in practice',                ['Engineering', 'Support', 'Operations'],   false,     8,    7, 14,    8,  80,    10,  70, 0),
  challenge('Feedback that helps',                        'managers',                                 false,     8,    5, 21,   14,  82,     8,  70, 150, 10),
]

type GuidePlan = { title: string; tasks: number; questions: number; audience: Department | 'everyone' }

export const guidePlans: readonly GuidePlan[] = [
  { title: 'Welcome to the company', tasks: 12, questions: 8, audience: 'everyone' },
  { title: 'How we sell', tasks: 18, questions: 20, audience: 'Sales' },
  { title: 'The customer journey', tasks: 10, questions: 6, audience: 'Customer Success' },
  { title: 'Working a ticket from start to end', tasks: 14, questions: 12, audience: 'Support' },
  { title: 'Secure coding', tasks: 16, questions: 24, audience: 'Engineering' },
  { title: 'Travel and expenses', tasks: 5, questions: 0, audience: 'everyone' },
]

/** Given and family names are mixed freely. */
// prettier-ignore
export const givenNames = [
  'Adaeze', 'Aisha', 'Alejandro', 'Amara', 'Anders', 'Aneta', 'Antoine', 'Ayşe', 'Bogdan', 'Caroline',
  'Chidi', 'Chloé', 'Daniel', 'Deniz', 'Diego', 'Elena', 'Emeka', 'Emma', 'Fatima', 'Femi', 'François',
  'Freya', 'Giulia', 'Hanna', 'Haruto', 'Henrik', 'Ines', 'Ingrid', 'Ivan', 'Jakub', 'Jana', 'João', 'Jonas',
  'Julia', 'Karim', 'Katarzyna', 'Kwame', 'Lars', 'Layla', 'Leon', 'Lina', 'Lucía', 'Luis', 'Maja', 'Marco',
  'Mariam', 'Mateo', 'Mei', 'Michael', 'Min-jun', 'Mira', 'Nadia', 'Nikhil', 'Noor', 'Oliver', 'Omar',
  'Oskar', 'Petra', 'Priya', 'Rania', 'Rebecca', 'Rosa', 'Sam', 'Samira', 'Sara', 'Sebastian', 'Seo-yeon',
  'Siobhán', 'Stefan', 'Sunita', 'Thabo', 'Tomasz', 'Uma', 'Viktor', 'Wei', 'Yuki', 'Yusuf', 'Zoe',
] as const

// prettier-ignore
export const familyNames = [
  'Abiodun', 'Acheampong', 'Ahmed', 'Andersson', 'Banerjee', 'Bianchi', 'Campbell', 'Chen', 'Clarke',
  'Çelik', 'Dahl', 'Davies', 'Diallo', 'Dubois', 'Eriksen', 'Fernández', 'Ferrari', 'Fofanah', 'García',
  'González', 'Gruber', 'Haddad', 'Hassan', 'Hernández', 'Horváth', 'Hughes', 'Ibarra', 'Iyer', 'Jensen',
  'Jovanović', 'Kaya', 'Khan', 'Kimura', 'Kowalska', 'Lambert', 'Lee', 'Lefèvre', 'Lindqvist', 'López',
  'Martin', 'Mehta', 'Meyer', 'Moretti', 'Müller', 'Nakamura', 'Ndiaye', 'Nielsen', 'Novák', "O'Brien",
  "O'Connor", 'Okafor', 'Oliveira', 'Park', 'Patel', 'Petrov', 'Popescu', 'Ramos', 'Rivera', 'Ruiz',
  'Salazar', 'Sato', 'Schneider', 'Sharma', 'Singh', 'Sørensen', 'Svensson', 'Szabó', 'Taylor', 'Tran',
  'Van den Berg', 'Van Dijk', 'Virtanen', 'Walker', 'Weber', 'Wilson', 'Wójcik', 'Yılmaz', 'Zhang',
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
