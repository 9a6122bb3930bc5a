import { expect, test } from 'vitest'
import { tools } from './catalog.ts'
import { withToolNames } from './tools-for-paths.ts'

test.each([
  ['Reopen it first (POST /deals/01a2-3b/reopen).', 'Reopen it first (set_deal_outcome).'],
  ['POST /deals/{deal_id}/close or POST /deals/{deal_id}/reopen', 'set_deal_outcome'],
  ['A stage from the list of GET /deals/stages.', 'A stage from list_options about stages.'],
  ['send the address of a member (GET /owners)', 'send the address of a member (list_options about owners)'],
  ['add it first (GET /voice/numbers)', 'add it first (list_options about numbers)'],
  [
    'consent first (PATCH /contacts/{contact_id} {"consent": …})',
    'consent first (save_contacts {"consent": …})',
  ],
  ['Move some of them first (POST /deals/batch).', 'Move some of them first (save_deals).'],
  ['raise it (PATCH /voice/settings {…})', 'raise it (PATCH /voice/settings {…})'],
  ['POST /contacts/batch/read', 'POST /contacts/batch/read'],
])('the text %j tells a model %j', (text, told) => {
  expect(withToolNames(text)).toBe(told)
})

test('all tools that the texts name exist', () => {
  const names = new Set(tools.map(({ name }) => name))
  for (const name of ['set_deal_outcome', 'list_options', 'save_contacts', 'save_companies', 'save_deals'])
    expect([name, names.has(name)]).toEqual([name, true])
})
