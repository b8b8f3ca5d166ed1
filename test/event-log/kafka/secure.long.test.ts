import { X509Certificate } from 'node:crypto'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka, type KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { awaitTopic, ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, openOwnBroker, toSettings, type OwnBroker } from '../../support/kafka/broker.ts'
import { brokerGuest, brokerUser, findJvmProblem } from '../../support/kafka/jvm.ts'
import { createStore, readerOptions } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'

const broker = await findBroker()

// The container image has no listener of this kind; there, the same is tested where a JVM is.
describe.skipIf(broker === undefined || findJvmProblem() !== undefined)(
  'a broker that asks for TLS and a user',
  () => {
    let own: OwnBroker
    let settings: KafkaSettings

    beforeAll(async () => {
      own = await openOwnBroker({ isSecure: true })
      const { broker: address, ca } = own.secure as NonNullable<OwnBroker['secure']>
      const sasl = { mechanism: 'plain' as const, ...brokerUser }
      settings = { ...toSettings(own), brokers: [address], tls: { ca }, sasl }
    })
    afterAll(() => own?.dispose())

    test('takes records from and gives them to who has both', async () => {
      expect(new X509Certificate((settings.tls as { ca: string }).ca).subject).toContain('CN=localhost')
      await ensureTopic(createKafka(settings, logger), topicSettings(settings.topic))
      const writer = await openKafkaLogWriter({ settings, logger })
      await Promise.all(Array.from({ length: 50 }, (_, index) => writer.append(toRecord(`${index}`))))
      const store = createStore()
      const reader = openKafkaLogReader({ settings, logger })
      reader.start(store.handler, readerOptions, () => {})
      await until(() => store.records.length === 50)
      await reader.close()
      await writer.close()
    })

    test.each([
      [
        'a wrong password',
        { sasl: { mechanism: 'plain', username: brokerUser.username, password: 'wrong' } },
        /SASL|uthentic/,
      ],
      ['an authority that is not known', { tls: {} }, /self-signed|certificate/],
    ] as const)('refuses %s, and the reason can be read', async (_name, wrong, reason) => {
      const mistaken: KafkaSettings = { ...settings, ...wrong }
      await expect(ensureTopic(createKafka(mistaken, logger), topicSettings(settings.topic))).rejects.toThrow(
        reason,
      )
      const writer = await openKafkaLogWriter({ settings: mistaken, logger, appendTimeoutMs: 1_000 })
      await expect(writer.append(toRecord('no'))).rejects.toMatchObject({
        code: 'LOG_IO',
        message: expect.stringMatching(reason),
      })
      await writer.close()
    })

    test('names the permission that a user lacks, until it has all', async () => {
      const { topic, groupId } = settings
      const { AclOperationTypes: operations, AclResourceTypes: resources } = kafkajs
      const admin = createKafka(settings, logger).admin()
      await admin.connect()
      const grant = (
        resourceType: kafkajs.AclResourceTypes,
        resourceName: string,
        operation: kafkajs.AclOperationTypes,
      ) => {
        const { ALLOW: permissionType } = kafkajs.AclPermissionTypes
        const { LITERAL: resourcePatternType } = kafkajs.ResourcePatternTypes
        const principal = `User:${brokerGuest.username}`
        const acl = { resourceType, resourceName, resourcePatternType, principal, host: '*', operation }
        return admin.createAcls({ acl: [{ ...acl, permissionType }] })
      }
      const guest = createKafka({ ...settings, sasl: { mechanism: 'plain', ...brokerGuest } }, logger)
      const ask = () =>
        awaitTopic(guest, topicSettings(topic), groupId, 1).catch(
          (error: Error) => `${error.name}: ${error.message}`,
        )
      const untilSaid = (says: RegExp) => until(ask, (said) => says.test(said))

      await ensureTopic(createKafka(settings, logger), topicSettings(topic))
      await untilSaid(/^StartError: .*does not let this user see the topic/)
      await grant(resources.TOPIC, topic, operations.DESCRIBE)
      await untilSaid(/^StartError: .*does not let this user read the settings of the topic/)
      await grant(resources.TOPIC, topic, operations.DESCRIBE_CONFIGS)
      await untilSaid(/^StartError: .*does not let this user read with the group/)
      await grant(resources.GROUP, groupId, operations.READ)
      await untilSaid(/^[\w-]{22}$/)
      await admin.disconnect()
    })
  },
)
