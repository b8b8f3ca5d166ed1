/**
 * What the company teaches, and to which teams. The numbers give charts a story: one challenge is graded by a single busy
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

export type ChallengePlan = {
  title: string
  audience: readonly Department[] | 'everyone' | 'managers'
  /** Given to everyone who joins. */
  onboarding: boolean
  /** Weeks between two waves, and the week of the first. */
  everyWeeks: number
  firstWeek: number
  dueDays: number
  /** Median days from assignment to hand-in. */
  usualDays: number
  meanGrade: number
  gradeSpread: number
  passMark: number
  grading: Grading
}

const auto: Grading = { by: 'auto' }
const reviewed = (medianHours: number, parts = 1, dueDays = 7): Grading => ({
  by: 'reviewers',
  medianHours,
  parts,
  dueDays,
})

export const challengePlans: readonly ChallengePlan[] = [
  {
    title: 'Discovery call: first 10 minutes',
    audience: ['Sales'],
    onboarding: false,
    everyWeeks: 6,
    firstWeek: 0,
    dueDays: 14,
    usualDays: 7,
    meanGrade: 81,
    gradeSpread: 9,
    passMark: 70,
    grading: reviewed(30, 2),
  },
  {
    title: 'Objection handling: price',
    audience: ['Sales'],
    onboarding: false,
    everyWeeks: 7,
    firstWeek: 2,
    dueDays: 14,
    usualDays: 9,
    meanGrade: 74,
    gradeSpread: 11,
    passMark: 70,
    grading: reviewed(44, 2),
  },
  {
    title: 'Negotiation: giving and getting',
    audience: ['Sales', 'Customer Success'],
    onboarding: false,
    everyWeeks: 8,
    firstWeek: 4,
    dueDays: 21,
    usualDays: 12,
    meanGrade: 79,
    gradeSpread: 8,
    passMark: 70,
    grading: reviewed(260, 3, 10),
  },
  {
    title: 'Demo of the new dashboard',
    audience: ['Sales', 'Customer Success', 'Marketing'],
    onboarding: false,
    everyWeeks: 9,
    firstWeek: 1,
    dueDays: 14,
    usualDays: 6,
    meanGrade: 84,
    gradeSpread: 7,
    passMark: 75,
    grading: reviewed(36),
  },
  {
    title: 'Quarterly business review: the first slide',
    audience: ['Customer Success'],
    onboarding: false,
    everyWeeks: 6,
    firstWeek: 3,
    dueDays: 14,
    usualDays: 8,
    meanGrade: 80,
    gradeSpread: 9,
    passMark: 70,
    grading: reviewed(52, 2),
  },
  {
    title: 'Security awareness 2026',
    audience: 'everyone',
    onboarding: true,
    everyWeeks: 13,
    firstWeek: 1,
    dueDays: 30,
    usualDays: 15,
    meanGrade: 91,
    gradeSpread: 7,
    passMark: 80,
    grading: auto,
  },
  {
    title: 'Data protection basics',
    audience: 'everyone',
    onboarding: true,
    everyWeeks: 13,
    firstWeek: 6,
    dueDays: 30,
    usualDays: 16,
    meanGrade: 88,
    gradeSpread: 8,
    passMark: 80,
    grading: auto,
  },
  {
    title: 'Code of conduct: five cases',
    audience: 'everyone',
    onboarding: true,
    everyWeeks: 13,
    firstWeek: 10,
    dueDays: 21,
    usualDays: 11,
    meanGrade: 93,
    gradeSpread: 5,
    passMark: 80,
    grading: auto,
  },
  {
    title: 'Our story in two minutes',
    audience: ['Sales', 'Customer Success', 'Marketing'],
    onboarding: true,
    everyWeeks: 12,
    firstWeek: 5,
    dueDays: 14,
    usualDays: 6,
    meanGrade: 83,
    gradeSpread: 8,
    passMark: 70,
    grading: reviewed(28),
  },
  {
    title: 'Product fundamentals',
    audience: 'everyone',
    onboarding: true,
    everyWeeks: 17,
    firstWeek: 8,
    dueDays: 21,
    usualDays: 9,
    meanGrade: 82,
    gradeSpread: 10,
    passMark: 70,
    grading: auto,
  },
  {
    title: 'A support answer people understand',
    audience: ['Support'],
    onboarding: false,
    everyWeeks: 5,
    firstWeek: 2,
    dueDays: 10,
    usualDays: 4,
    meanGrade: 85,
    gradeSpread: 8,
    passMark: 70,
    grading: reviewed(20),
  },
  {
    title: 'De-escalation: the angry caller',
    audience: ['Support', 'Customer Success'],
    onboarding: false,
    everyWeeks: 7,
    firstWeek: 3,
    dueDays: 14,
    usualDays: 7,
    meanGrade: 66,
    gradeSpread: 16,
    passMark: 70,
    grading: reviewed(64, 2),
  },
  {
    title: 'Incident report in practice',
    audience: ['Engineering', 'Support', 'Operations'],
    onboarding: false,
    everyWeeks: 8,
    firstWeek: 7,
    dueDays: 14,
    usualDays: 8,
    meanGrade: 80,
    gradeSpread: 10,
    passMark: 70,
    grading: auto,
  },
  {
    title: 'Feedback that helps',
    audience: 'managers',
    onboarding: false,
    everyWeeks: 8,
    firstWeek: 5,
    dueDays: 21,
    usualDays: 14,
    meanGrade: 82,
    gradeSpread: 8,
    passMark: 70,
    grading: reviewed(150, 2, 10),
  },
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
