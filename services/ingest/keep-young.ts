/**
 * For the ingest process: has V8 make every object young, where it is dropped for nothing. By default it makes objects old at once
 * where many from that place in the code have survived, as those of requests do that wait for Kafka. Then the dead among them keep
 * young ones alive until the next large collection, and each small one copies a third of what was made: pauses of 9 ms instead of 3
 * (docs/decisions/0006-kafka.md).
 */
import { setFlagsFromString } from 'node:v8'

/** Holds for code that is compiled from now on. */
export function keepYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
