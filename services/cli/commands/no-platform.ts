import { CommandError } from '../../runtime/control/command.ts'

export function noPlatform(): CommandError {
  return new CommandError('usage', "Set PLATFORM_URL and PLATFORM_TOKEN first: nothing is known of the platform's API.")
}
