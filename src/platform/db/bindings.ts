import { neededSettings, type SessionLimits } from './address.ts'
import { type RoleMode, type RoleName, roleNames } from './roles.ts'
import type { Binding } from './send.ts'

/**
 * The statements that bind a transaction to its organization and role. Behind a pooler that lends a connection for
 * one transaction, they also set the limits of the transaction, because no session keeps them.
 */
export class Bindings {
  readonly #texts: ReadonlyMap<RoleName, string>

  /** @param limits null: the session has its limits already */
  constructor(roles: RoleMode, limits: SessionLimits | null) {
    const settings = limits ? Object.entries({ ...neededSettings, ...limits }) : []
    const limiting = settings.map(([name, value]) => isSet(name, `'${value}'`))
    const textOf = (role: RoleName) => {
      const entering = roles === 'login' ? [] : [isSet('role', `'${role}'`)]
      // `where … is null` returns no row, which costs less.
      return `select where ${[...limiting, ...entering, isSet('app.org_id', '$1')].join(' or ')}`
    }
    this.#texts = new Map(roleNames.map((role) => [role, textOf(role)]))
  }

  /** @param orgId '' for work across organizations */
  of(role: RoleName, orgId: string): Binding {
    return { name: 'binding', text: this.#texts.get(role)!, values: [orgId] }
  }

  /** The binding of a member whose access to records is limited. The policies of the role read the settings. */
  ofLimited(orgId: string, access: string): Binding {
    const owners = `case when $2 like 'own %' then '{' || substr($2, 5) || '}' else app.record_owners()::text end`
    const { text } = this.of('crosswalk_limited', orgId)
    return {
      name: 'limited binding',
      text: `${text} or ${isSet('app.record_access', '$2')} or ${isSet('app.record_owners', owners)}`,
      values: [orgId, access],
    }
  }
}

/**
 * The binding of a statement that has one good plan for all values. PostgreSQL would otherwise plan most statements of
 * a small organization again each time: it expects them to read fewer rows than for an average organization. (Measured
 * on a list of deals: planning takes 0.8 ms, and reading 0.1 ms.)
 * https://www.postgresql.org/docs/current/runtime-config-query.html#GUC-PLAN-CACHE-MODE
 */
export function planningOnce({ name, text, values }: Binding): Binding {
  const mode = isSet('plan_cache_mode', `'force_generic_plan'`)
  return { name: `${name}, planning once`, text: `${text} or ${mode}`, values }
}

/** Sets a setting until the transaction ends. The condition is always false. */
const isSet = (name: string, value: string) => `set_config('${name}', ${value}, true) is null`
