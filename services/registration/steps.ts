import { maskUrl } from './url.ts'

/** What a person does where the platform's API does not offer it. The token is masked: the person has the full URL. */
export function toManualSteps(url: string, eventTypes: readonly string[]): string[] {
  return [
    'Sign in to the learning platform as an administrator and open its webhook settings (often under Integrations or Developers).',
    'Add a webhook subscription named “Rollcall”.',
    `As its URL enter the whole ingest URL, which begins with ${maskUrl(url)}. It contains a secret: copy it, and share it with nobody.`,
    `Tick these event types: ${eventTypes.join(', ')}. More do no harm.`,
    'If the list shows another subscription with the same URL, or with an older one of Rollcall’s, remove that one.',
    'Save, then run this check again: it sends a test event and looks for it in the store.',
  ]
}
