/** Where pages and mails lead into the platform: addresses with places for ids, as the owner sets them. */
import { setting } from '../setting.ts'

export type PlatformIds = {
  user_id?: string | null
  assignment_id?: string | null
  challenge_id?: string | null
}

const idNames = ['user_id', 'assignment_id', 'challenge_id'] as const satisfies readonly (keyof PlatformIds)[]
type IdName = (typeof idNames)[number]

/** Addresses with `{user_id}` and the like. Left out: no link of this kind. */
export type PlatformLinks = { learner?: string; assignment?: string; grading?: string }

type LinkConfig = Partial<Record<`platform${'Learner' | 'Assignment' | 'Grading'}Url`, string | undefined>>

export function toPlatformLinks(config: LinkConfig): PlatformLinks {
  const {
    platformLearnerUrl: learner,
    platformAssignmentUrl: assignment,
    platformGradingUrl: grading,
  } = config
  return { ...(learner && { learner }), ...(assignment && { assignment }), ...(grading && { grading }) }
}

const place = /\{([^{}]*)\}/g

/** `needed`: one of them must be in it, or it would lead everybody to the same page. */
export function platformLinkSetting(needed: readonly IdName[]) {
  const example = `https://learn.example.com/${needed[0]?.replace('_id', 's')}/{${needed[0]}}`
  return setting((text, refuse): string => {
    const names = [...text.matchAll(place)].map(([, name = '']) => name)
    const odd = names.find((name) => !idNames.some((each) => each === name))
    if (odd !== undefined) return refuse(`knows no {${odd}}; there are {${idNames.join('}, {')}}`)
    const [, before = text] = /^([^{]*)\{/.exec(text) ?? []
    const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text.replaceAll(place, 'x'))
    // An id in the name of the host would choose to whom the reader goes.
    const isAddress =
      url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/?#@\\]+[/?#]/.test(before)
    if (!isAddress || /[{}]/.test(text.replaceAll(place, '')))
      return refuse(`must be an address that begins with https:// or http://, such as ${example}`)
    if (!needed.some((each) => names.includes(each)))
      return refuse(`must hold {${needed.join('} or {')}}, such as ${example}`)
    return text
  })
}

/** `null`: there is no such link, or an id that it needs is not known. */
export function toPlatformHref(link: string | undefined, ids: PlatformIds): string | null {
  if (link === undefined) return null
  let isKnown = true
  const address = link.replaceAll(place, (_, name: IdName) => {
    const id = ids[name] ?? ''
    // Dots alone are steps in a path, escaped or not.
    if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) isKnown = false
    return isKnown ? encodeURIComponent(id) : ''
  })
  return isKnown ? address : null
}
