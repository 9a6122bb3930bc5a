import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordTypes } from '../../src/duplicates/entities.ts'
import type { StoredColumns } from '../../src/records/record-type.ts'
import { NaiveOrg, type Step as NaiveStep } from '../support/merging/naive-org.ts'
import type { Entity, Fields } from '../support/merging/naive-rules.ts'
import { takeStep } from '../support/merging/naive-steps.ts'
import {
  amountHiddenByRedo,
  describeSteps,
  histories,
  patchUsedByMerge,
  primaryComesBack,
  type Step,
} from '../support/merging/steps.ts'
import { World } from '../support/merging/world.ts'

/** The number of random histories: few in `npm test`, many in `npm run test:properties`. */
const numRuns = Math.ceil(Number(process.env.HISTORIES ?? 200) / 5)

const examples = { contact: [patchUsedByMerge, primaryComesBack], company: [], deal: [amountHiddenByRedo] }

/** Adds the rules of merges to a step, because the naive org does not know the settings. */
function asNaive(entity: Entity, step: Step): NaiveStep {
  if (step.do !== 'merge') return { entity, ...step } as NaiveStep
  const rules = step.policies.map((each) => each ?? {})
  return { entity, ...step, rules, choices: {}, force: false, dry: false }
}

function asShown(entity: Entity, id: string, state: StoredColumns): Fields {
  const { columns, paths, idField } = recordTypes[entity]
  const plain = Object.keys(columns).filter((column) => !/raw_id$|^consent_|^company_id$/.test(column))
  return {
    ...Object.fromEntries(plain.map((column) => [paths[column] ?? column, state[column] ?? null])),
    ...(entity === 'contact' && {
      consent: { email: state.consent_email, phone: state.consent_phone },
      consent_details: { email: state.consent_email_details, phone: state.consent_phone_details },
    }),
    ...(entity === 'deal' ? { contact_ids: state.contact_raw_ids } : {}),
    ...(entity === 'company' ? {} : { company_id: null }),
    [idField]: id,
    archived: state.status === 'archived',
  }
}

describe.each(['contact', 'company', 'deal'] as const)(
  'the record type %s behaves like the naive model',
  (entity) => {
    test('merges, undos and writes have the same results as in the naive model', {
      timeout: 3_600_000,
    }, () => {
      fc.assert(
        fc.property(histories(entity, 18), (steps) => {
          const [world, naive] = [new World(recordTypes[entity]), new NaiveOrg()]
          if (entity === 'deal')
            for (const id of ['p', 'q', 'r'])
              takeStep(naive, { entity: 'contact', do: 'create', id, fields: { first_name: id } })
          for (const [index, step] of steps.entries()) {
            const history = () => describeSteps(steps.slice(0, index + 1))
            const [one, other] = [world.take(step), takeStep(naive, asNaive(entity, step))]
            expect(other !== null, history()).toBe(one !== null)
            const states = Object.entries(world.shown())
            const shown = Object.fromEntries(states.map(([id, state]) => [id, asShown(entity, id, state)]))
            expect(shown, history()).toEqual(naive.shown([entity]))
          }
        }),
        { numRuns, examples: examples[entity].map((steps) => [steps]) },
      )
    })
  },
)
