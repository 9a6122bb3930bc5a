import { expect, test } from 'vitest'
import { tools } from './catalog.ts'
import { withToolNames, withToolNamesIn } from './tools-for-paths.ts'

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
  [
    'restore it first (POST /contacts/0199c0de-1111-7222-8333-444455556666/restore)',
    'restore it first (archive_records with archived: false)',
  ],
  ['PATCH /deals/0199c0de-1111-7222-8333-444455556666', 'save_deals'],
  ['(GET /deals/close-reasons?outcome=won)', '(list_options about reasons)'],
  ['POST /deals/close-reasons/01a2-3b/restore', 'POST /deals/close-reasons/01a2-3b/restore'],
  ['POST /contacts/{contact_id}/erase', 'POST /contacts/{contact_id}/erase'],
  ['POST /contacts/search', 'POST /contacts/search'],
  ['raise it (PATCH /voice/settings {…})', 'raise it (PATCH /voice/settings {…})'],
  ['POST /contacts/batch/read', 'POST /contacts/batch/read'],
])('the text %j tells a model %j', (text, told) => {
  expect(withToolNames(text)).toBe(told)
})

test('all tools that the texts name exist', () => {
  const names = new Set(tools.map(({ name }) => name))
  const named = ['set_deal_outcome', 'archive_records', 'list_options']
  for (const name of [...named, 'save_contacts', 'save_companies', 'save_deals'])
    expect([name, names.has(name)]).toEqual([name, true])
})

test('the error of an item of a batch names the tool, too', () => {
  const saved = { index: 0, outcome: 'updated' }
  const failed = { index: 1, outcome: 'failed', detail: 'Move some of them first (POST /deals/batch).' }
  expect(withToolNamesIn([saved, failed])).toEqual([
    saved,
    { ...failed, detail: 'Move some of them first (save_deals).' },
  ])
})
