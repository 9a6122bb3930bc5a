import { expect, test } from 'vitest'
import { permissionResources } from '../../console/src/api/permissions.ts'
import { outranks, permissionsOfRole, roles } from '../../console/src/routes/settings/members/roles.ts'
import { resources } from '../../src/auth/permissions.ts'
import * as server from '../../src/auth/roles.ts'

test('the console offers the resources that the server knows', () => {
  expect(permissionResources.map(([resource]) => resource).sort()).toEqual([...resources].sort())
})

test('the console offers the roles of the server, with their permissions and ranks', () => {
  expect(roles.map(({ value }) => value)).toEqual(server.roles)
  for (const own of server.roles) {
    const sorted = (permissions: readonly string[] | null) => permissions && [...permissions].sort()
    expect(sorted(permissionsOfRole(own))).toEqual(sorted(server.permissionsOf(own, null)))
    for (const other of server.roles) expect(outranks(own, other)).toBe(server.outranks(own, other))
  }
})
