/**
 * Checkouts of Rollcall beside each other. Dashboards that run already, over stores with the same rows, are asked the same questions in
 * turn, each time with another `due_soon_days`, so that no answer is held. Wall ms, least and median of the rounds:
 * `node test/bench/beside.ts [--rounds 15] [--team team-7] [--challenge challenge-7] before=http://127.0.0.1:3001 now=http://127.0.0.1:3002`.
 */
import { parseArgs } from 'node:util'
import { day } from '../support/data/records.ts'
import { median, time } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    team: { type: 'string', default: 'team-7' },
    challenge: { type: 'string', default: 'challenge-7' },
  },
})
const checkouts = positionals.map((text) => {
  const [name = '', url = ''] = text.split(/=(.*)/s)
  return { name, url }
})
if (checkouts.length === 0 || checkouts.some(({ url }) => !URL.canParse(url))) {
  process.stderr.write(
    'Name the addresses of running dashboards: before=http://127.0.0.1:3001 now=http://127.0.0.1:3002\n',
  )
  process.exit(2)
}
/** Throws where it is not answered. */
async function ask(url: URL): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}`)
}
const toDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * day).toISOString().slice(0, 10)
const monthAgo = `as_of=${toDay(30)}T12:00:00Z`
const questions: Record<string, string> = {
  'metrics, now': '/api/metrics?',
  'one challenge': `/api/metrics?challenge=${values.challenge}&`,
  'one team': `/api/metrics?team=${values.team}&`,
  '90 days': `/api/metrics?assigned_from=${toDay(90)}&`,
  'fact=overdue': '/api/metrics?fact=overdue&',
  'a month ago': `/api/metrics?${monthAgo}&`,
  challenges: '/challenges.csv?',
  teams: '/teams.csv?',
  '100 rows': '/api/assignments?per_page=100&',
  '100 overdue rows': '/api/assignments?per_page=100&fact=overdue&',
  '100 rows a month ago': `/api/assignments?per_page=100&${monthAgo}&`,
  Home: '/?',
  Overdue: '/overdue?',
  Grading: '/grading?',
  Learners: '/learners?',
  Teams: '/teams?',
  Challenges: '/challenges?',
  Changes: '/changes?',
}

console.log(
  `| least, median ms | ${checkouts.map(({ name }) => name).join(' | ')} |\n|${'---|'.repeat(1 + checkouts.length)}`,
)
let asked = 0
for (const [question, path] of Object.entries(questions)) {
  const took = checkouts.map((): number[] => [])
  for (let round = -3; round < Number(values.rounds); round++) {
    for (const [index, { url }] of checkouts.entries()) {
      const ms = await time(() => ask(new URL(`${path}due_soon_days=${20 + (asked++ % 300)}`, url)))
      if (round >= 0) took[index]!.push(ms)
    }
  }
  const cells = took.map((each) => `${Math.min(...each).toFixed(0)}, ${median(each).toFixed(0)}`)
  console.log(`| ${question} | ${cells.join(' | ')} |`)
}
