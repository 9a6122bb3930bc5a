import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { showToast } from '../../parts/toast.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'
import { deals } from '../deals/kind.ts'
import { countOf, idOf, people, type ShownRecord } from '../kinds.ts'
import { storeRecords } from '../record-queries.ts'
import { Part } from './part.tsx'
import { PersonList } from './person-list.tsx'

const AddPersonDialog = lazyPart(() => import('./add-person-dialog.tsx'), 'AddPersonDialog')

const triesMax = 3

/** The people of a deal. A person can be added, or removed with an undo. */
export function PeopleOfDeal({ deal }: { deal: ShownRecord }) {
  const { orgId, api, can } = useScope()
  const [isAdding, setAdding] = useState(false)
  const ids = idsOf(deal)
  const found = useQuery({
    queryKey: ['deal-people', orgId, ids],
    queryFn: async ({ signal }) =>
      ids.length === 0
        ? []
        : (await people.apiOf(api).batchRead({ ids: [...ids] }, { signal })).flatMap(
            ({ record }) => record ?? [],
          ),
    placeholderData: (before) => before,
  })
  const mayChange = can('deals:write') && deal.archived_at === null
  /** If somebody else changed the deal meanwhile, the change is repeated on their version. */
  const change = async (next: (ids: readonly string[]) => readonly string[]) => {
    const dealId = idOf(deals, deal)
    for (let [tries, known] = [1, deal]; ; tries++) {
      try {
        const body = { contact_ids: next(idsOf(known)) }
        const saved = await deals.apiOf(api).update(dealId, body, { ifMatch: known.version })
        return storeRecords(deals, orgId, [saved])
      } catch (error) {
        const isConflict = error instanceof ApiError && error.code === 'version_conflict'
        if (!isConflict || tries === triesMax) throw error
        known = await deals.apiOf(api).get(dealId)
      }
    }
  }
  const add = (id: string) => change((all) => (all.includes(id) ? all : [...all, id]))
  const remove = async (person: ShownRecord) => {
    const id = idOf(people, person)
    const name = people.nameOf(person)
    const complain = (error: unknown) => showToast(`Not changed: ${problemElsewhere(error, [])}`, 'bad')
    await change((all) => all.filter((one) => one !== id)).then(
      () =>
        showToast(`${name} is removed from the deal.`, 'ok', {
          name: 'Undo',
          run: () => void add(id).catch(complain),
        }),
      complain,
    )
  }
  return (
    <Part
      name="People"
      about={
        <span className="rail">
          {count(ids.length)}
          {mayChange && (
            <Button kind="quiet" icon="plus" aria-label="Add a person" onClick={() => setAdding(true)} />
          )}
        </span>
      }
    >
      <Loaded query={found} rows={2}>
        {(persons) =>
          ids.length === 0 ? (
            <p className="two">Nobody is linked to this deal.</p>
          ) : (
            <>
              <PersonList persons={persons} onRemove={mayChange ? (one) => void remove(one) : undefined} />
              <Hidden n={found.isPlaceholderData ? 0 : ids.length - persons.length} />
            </>
          )
        }
      </Loaded>
      {isAdding && (
        <LateDialog>
          <AddPersonDialog without={ids} onAdd={add} onClose={() => setAdding(false)} />
        </LateDialog>
      )}
    </Part>
  )
}

/** Says that the deal has people whom a member with limited record access does not see. */
const Hidden = ({ n }: { n: number }) =>
  n > 0 && (
    <p className="two">
      {countOf(people, n)} of this deal {n === 1 ? 'is' : 'are'} not shown, because your record access is
      limited.
    </p>
  )

const idsOf = ({ contact_ids: ids }: ShownRecord): readonly string[] =>
  Array.isArray(ids) ? ids.map(String) : []
