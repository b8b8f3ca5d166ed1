import { readFileSync } from 'node:fs'

export type Stage = {
  name: string
  from: string
  /** Paths of the build context, as they are named in COPY. */
  copied: string[]
  command: string[]
  exposed: number[]
  volumes: string[]
  hasHealthCheck: boolean
  user: string | undefined
  runs: string[]
}

/** As much of the Dockerfile as the tests ask for: its stages by name. */
export function readDockerfile(): Map<string, Stage> {
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const line of text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    if (word === 'FROM') {
      const [from = '', , name = ''] = rest.filter((option) => !option.startsWith('--'))
      stage = {
        name,
        from,
        copied: [],
        command: [],
        exposed: [],
        volumes: [],
        hasHealthCheck: false,
        user: undefined,
        runs: [],
      }
      stages.set(name, stage)
    }
    if (stage === undefined) continue
    if (word === 'COPY' && !rest[0]?.startsWith('--from')) stage.copied.push(...rest.slice(0, -1))
    if (word === 'CMD' || word === 'ENTRYPOINT') stage.command = JSON.parse(rest.join(' ')) as string[]
    if (word === 'EXPOSE') stage.exposed.push(...rest.map(Number))
    if (word === 'VOLUME') stage.volumes.push(...rest)
    if (word === 'HEALTHCHECK') stage.hasHealthCheck = rest[0] !== 'NONE'
    if (word === 'USER') stage.user = rest[0]
    if (word === 'RUN') stage.runs.push(rest.join(' '))
  }
  return stages
}

/** The content of an image: files of ours beside `dist`, and which packages were taken out of it. */
export function toImage(stages: ReadonlyMap<string, Stage>, target: string) {
  const own = stages.get(target)
  if (own === undefined) throw new Error(`no stage ${target}`)
  const base = stages.get(own.from)
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const source = new RegExp(`AS ${target}\\n(?:(?!FROM)[\\s\\S])*?COPY --from=(\\S+) /app/node_modules`).exec(text)?.[1]
  const packages = stages.get(source ?? '')
  if (packages === undefined) throw new Error(`${target} has no packages`)
  const before = stages.get(packages.from)
  const runs = [...(before?.runs ?? []), ...packages.runs].join(' ')
  const removed = [...runs.matchAll(/node_modules\/(\S+)/g)].map(([, name = '']) => name)
  return {
    copied: [...(base?.copied ?? []), ...own.copied],
    removed,
    command: own.command,
    user: own.user,
    exposed: own.exposed,
    volumes: own.volumes,
    hasHealthCheck: own.hasHealthCheck || base?.hasHealthCheck === true,
    from: base?.from ?? own.from,
    packagesFrom: before?.from ?? packages.from,
  }
}
