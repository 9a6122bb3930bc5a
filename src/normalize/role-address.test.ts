import { expect, test } from 'vitest'
import { isRoleAddress } from './role-address.ts'

test.each([
  'info@acme.example',
  'sales+eu@acme.example',
  'office.berlin@acme.example',
  'support2@acme.example',
  'no-reply@acme.example',
  'team_north@acme.example',
])('%s is a role address', (address) => {
  expect(isRoleAddress(address)).toBe(true)
})

test.each(['ada@acme.example', 'infoman@acme.example', 'a.sales@acme.example', '@acme.example', ''])(
  '%s may belong to a person',
  (address) => {
    expect(isRoleAddress(address)).toBe(false)
  },
)
