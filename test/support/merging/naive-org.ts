import type { Entity, Fields } from './naive-rules.ts'
import { computedFields, type Facts, listOf, type Merge, recordOf, rootOf, shown } from './naive-view.ts'
import type { OrgStep } from './org-step.ts'

export type Step = Exclude<OrgStep, { do: 'there and back' | 'back and there' }>
export type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>

/** The result of a step; null if the API refuses it. */
export type Outcome = string | null

/**
 * A simple model of docs/explanation/merging.md. It stores writes and merges, and computes everything else at each
 * read.
 */
export class NaiveOrg {
  /** The notes and tasks, each with the record whose id was sent. */
  remarks: { kind: 'note' | 'task'; id: string; text: string }[] = []
  facts: Facts = { records: new Map(), said: [], merges: [], hidden: [] }
  /** The pairs with the verdict `different`: `A and B`. */
  readonly different = new Set<string>()
  readonly settings: Record<Entity, { survivorship: Record<string, string>; undo_days: number | null }> = {
    contact: { survivorship: {}, undo_days: null },
    company: { survivorship: {}, undo_days: null },
    deal: { survivorship: {}, undo_days: null },
  }
  /** Fields whose value depends on a merge, even an undone one. */
  readonly loose = new Set<string>()
  now = 0

  copy(): NaiveOrg {
    const other = new NaiveOrg()
    other.facts = structuredClone(this.facts)
    for (const pair of this.different) other.different.add(pair)
    Object.assign(other.settings, structuredClone(this.settings))
    other.remarks = structuredClone(this.remarks)
    other.now = this.now
    return other
  }

  shown(entities: readonly Entity[] = ['contact', 'company', 'deal']): Record<string, Fields> {
    return Object.fromEntries(
      entities.flatMap((entity) => {
        const all = computedFields(this.facts, entity)
        return this.roots(entity).map((id) => [id, shown(this.facts, id, all)] as const)
      }),
    )
  }

  roots(entity: Entity): string[] {
    return [...this.facts.records]
      .filter(([id, each]) => each.entity === entity && each.status !== 'erased' && this.root(id) === id)
      .map(([id]) => id)
  }

  hasArchived(entity: Entity): boolean {
    return this.roots(entity).some((id) => recordOf(this.facts, id).status === 'archived')
  }

  root(id: string): string {
    return rootOf(this.facts, id)
  }

  merge(name: string): Merge | undefined {
    return this.facts.merges.find((each) => each.name === name)
  }

  /** Why an undo is refused; null if it is allowed. */
  blockOf({ status, loser, entity, isOld }: Merge): string | null {
    if (status === 'undone') return 'already_undone'
    if (status !== 'applied') return 'shadow'
    const root = recordOf(this.facts, this.root(loser))
    if (root.status === 'erased') return 'erased'
    if (root.status === 'archived') return 'survivor_deleted'
    return isOld && this.settings[entity].undo_days !== null ? 'expired' : null
  }

  childrenOf(entity: Entity, ids: readonly string[]): string[] {
    const naming = (kind: 'contact' | 'deal') => {
      const all = computedFields(this.facts, kind)
      return this.roots(kind).filter((id) =>
        entity === 'company'
          ? ids.includes(all.get(id)!.company_id as string)
          : listOf(this.facts, id, 'contact_ids').some((named) => ids.includes(named)),
      )
    }
    if (entity === 'deal') return []
    return entity === 'company' ? [...naming('contact'), ...naming('deal')] : naming('deal')
  }

  /** The canonical record; null if it is not active. */
  active(id: string): string | null {
    if (!this.facts.records.has(id)) return null
    const root = this.root(id)
    return recordOf(this.facts, root).status === 'active' ? root : null
  }
}
