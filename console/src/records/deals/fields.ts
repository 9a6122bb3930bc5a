import { fieldsOf, list, setByApi } from '../base-fields.ts'
import { choiceOperators, numberOperators, type RecordField } from '../record-field.ts'

const byApi = { isReadOnly: true } as const

/** The fields of a deal that the console shows, in the order of the page of a deal. */
export const dealFields: readonly RecordField[] = [
  ...fieldsOf('About', [
    ['name', 'Name', 'text', { width: 220 }],
    ['amount_cents', 'Amount', 'money', { operators: numberOperators, isSortable: true, width: 120 }],
    ['currency', 'Currency', 'text', { operators: ['eq', 'ne', 'in'], width: 90, mergedAs: 'amount_cents' }],
    ['stage', 'Stage', 'select', { operators: choiceOperators, width: 130 }],
    [
      'status',
      'Status',
      'select',
      { ...byApi, options: ['open', 'won', 'lost'], operators: ['eq', 'ne', 'in'], width: 90 },
    ],
    ['expected_close_on', 'Expected close', 'date', { operators: numberOperators, width: 130 }],
    ['probability', 'Probability, %', 'number', { operators: numberOperators, width: 110 }],
    [
      'owner_id',
      'Owner',
      'choice',
      { operators: ['eq', 'ne', 'is_null'], width: 150, mergedAs: 'owner_email' },
    ],
    ['company_id', 'Company', 'reference', { operators: ['eq', 'ne', 'is_null'], width: 170 }],
    ['contact_ids', 'People', 'people', { ...byApi, operators: [], width: 150 }],
    ['tags', 'Tags', 'list', list('tag')],
  ]),
  ...fieldsOf('End', [
    ['closed_at', 'Closed', 'time', { ...setByApi, isSortable: true }],
    [
      'close_reason_id',
      'Close reason',
      'choice',
      { ...byApi, operators: ['eq', 'ne', 'is_null'], width: 150 },
    ],
  ]),
  ...fieldsOf('Record', [
    ['source', 'Source', 'text', { width: 120 }],
    ['created_at', 'Created', 'time', { ...setByApi, isSortable: true }],
    ['updated_at', 'Updated', 'time', { ...setByApi, isSortable: true }],
  ]),
]
