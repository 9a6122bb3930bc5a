import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Persona } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/field.tsx'
import { Initials } from '../../parts/initials.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { personaPagesQuery } from '../../queries/personas.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { FirstOne } from '../../shell/first-one.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { PersonaDialog } from './persona-dialog.tsx'
import { personaState } from './words.ts'

const shownOptions = [
  ['usable', 'Active and drafts'],
  ['archived', 'Archived'],
] as const

const columns = [
  { name: 'Persona' },
  { name: 'Status', width: 150, phoneWidth: 120 },
  { name: 'Purpose', optional: true },
  { name: 'Voice', width: 140, optional: true },
  { name: 'Changed', width: 140, optional: true },
]

/** The personas of the organization: how its AI agents speak. */
export function PersonasPage() {
  const scope = useScope()
  const { orgId, can } = scope
  const { archived } = useSearch('/o/$orgId/personas')
  const navigate = useNavigate('/o/$orgId/personas')
  const [isNew, setNew] = useState(false)
  const personas = useInfiniteQuery(personaPagesQuery(scope, archived))
  const mayChange = can('personas:write')
  const create = () => setNew(true)
  useKey('c', () => mayChange && create())
  return (
    <Page
      name="Personas"
      acts={
        mayChange && (
          <Button kind="main" icon="plus" shortcut="C" onClick={create}>
            New persona
          </Button>
        )
      }
    >
      <search className="pad" aria-label="Filters">
        <Segments
          label="Shown"
          isLabelHidden
          value={archived ? 'archived' : 'usable'}
          options={shownOptions}
          onChange={(value) =>
            void navigate({
              search: (all) => ({ ...all, archived: value === 'archived' || undefined }),
              replace: true,
            })
          }
        />
      </search>
      <Loaded query={personas}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          if (found.length === 0)
            return archived ? (
              <Empty icon="archive" title="No persona is archived">
                <p className="two">An archived persona leaves the list, and no new call can use it.</p>
              </Empty>
            ) : (
              <NoPersonas onCreate={mayChange ? create : null} />
            )
          return (
            <>
              <Table label="Personas" columns={columns}>
                {found.map((persona) => (
                  <PersonaRow key={persona.persona_id} persona={persona} />
                ))}
              </Table>
              <NextPageButton query={personas} act="Show more personas" end="There are no more personas." />
            </>
          )
        }}
      </Loaded>
      {isNew && (
        <PersonaDialog
          persona={null}
          onClose={() => setNew(false)}
          onSaved={({ persona_id: personaId }) => {
            setNew(false)
            void navigate({ to: '/o/$orgId/personas/$personaId', params: { orgId, personaId }, search: {} })
          }}
        />
      )}
    </Page>
  )
}

function PersonaRow({ persona }: { persona: Persona }) {
  const { orgId } = useScope()
  const { persona_id: personaId, name, role_title, description, voice, updated_at } = persona
  const { kind, word } = personaState(persona)
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          <Initials name={name} />
          <Link className="cut link" to="/o/$orgId/personas/$personaId" params={{ orgId, personaId }}>
            {name}
          </Link>
          {role_title && <span className="cut three t12 opt">{role_title}</span>}
        </span>
      </th>
      <td>
        <State kind={kind}>{word}</State>
      </td>
      <td className="opt" title={description ?? undefined}>
        {description ?? <span className="three">–</span>}
      </td>
      <td className="opt">{voice.language ?? <span className="three">default</span>}</td>
      <td className="opt">
        <Time at={updated_at} />
      </td>
    </tr>
  )
}

const NoPersonas = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="voice" title="There is no persona yet">
    <p className="two">
      A persona says who the AI agent is on a call: its instructions, its voice and its first words. A new one
      is a draft until you activate it.
    </p>
    {onCreate && (
      <FirstOne
        act="Create a persona"
        onAct={onCreate}
        path="/personas"
        body={{ name: 'Mia', greeting: 'Hello, this is Mia.', instructions: 'Confirm appointments.' }}
      />
    )}
  </Empty>
)
