type Level = 'all' | 'team' | 'own' | 'no'
type Access = { create: 'yes' | 'no'; read: Level; edit: Level }
type FieldAccess = { read: 'yes' | 'no'; edit: 'yes' | 'no' }

/** The levels of access by entity and field. An entity without a level is not accessible. */
export class EspoRole {
  readonly userId = '64f0000000000a001'
  readonly entities: Record<string, Access> = {
    Lead: { create: 'yes', read: 'all', edit: 'all' },
    Contact: { create: 'yes', read: 'all', edit: 'all' },
  }
  readonly fields: Record<string, Record<string, FieldAccess>> = {}

  fieldsWithout(entity: string, action: 'read' | 'edit'): string[] {
    const listed = Object.entries(this.fields[entity] ?? {})
    return listed.filter(([, access]) => access[action] === 'no').map(([name]) => name)
  }

  /** "own" means the assigned user, and "team" the record's teams. An API user's records have neither. */
  allows(entity: string, action: 'read' | 'edit', record: Readonly<Record<string, unknown>>): boolean {
    const level = this.entities[entity]?.[action] ?? 'no'
    return level === 'all' || (level === 'own' && record.assignedUserId === this.userId)
  }

  /** The answer to `GET App/user`, reduced to the user and the access. */
  shown(): object {
    const quick = (entity: string) => ({
      attributes: {
        read: { yes: [], no: this.fieldsWithout(entity, 'read') },
        edit: { yes: [], no: this.fieldsWithout(entity, 'edit') },
      },
    })
    const names = Object.keys(this.entities)
    const table = names.map((name) => [name, { ...this.entities[name], stream: 'no', delete: 'no' }])
    return {
      user: { id: this.userId, userName: 'crosswalk', type: 'api' },
      acl: {
        table: Object.fromEntries(table),
        fieldTable: Object.fromEntries(names.map((name) => [name, this.fields[name] ?? {}])),
        fieldTableQuickAccess: Object.fromEntries(names.map((name) => [name, quick(name)])),
      },
    }
  }
}
