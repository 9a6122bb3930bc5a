import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Persona } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { OldData } from '../../parts/old-data.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { personaQuery, reloadPersonas } from '../../queries/personas.ts'
import { Link } from '../../routing/link.tsx'
import { useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { PersonaDialog } from './persona-dialog.tsx'
import { personaState } from './words.ts'

const pollMs = 5_000

/** One persona: what its AI agent says and how. */
export function PersonaPage() {
  const scope = useScope()
  const { personaId } = useParams('/o/$orgId/personas/$personaId')
  const persona = useQuery({ ...personaQuery(scope, personaId), refetchInterval: pollMs })
  return (
    <Page name="Personas" part={persona.data?.name ?? ''}>
      <OldData query={persona} name="persona" seconds={pollMs / 1_000} />
      <Loaded query={persona}>{(found) => <Found key={found.persona_id} persona={found} />}</Loaded>
    </Page>
  )
}

function Found({ persona }: { persona: Persona }) {
  const scope = useScope()
  const { orgId, can } = scope
  const queries = useQueryClient()
  const [isEdited, setEdited] = useState(false)
  const { name, role_title, description, instructions, greeting, voice, status } = persona
  const { kind, word } = personaState(persona)
  const store = async (next: Persona) => {
    const { queryKey } = personaQuery(scope, next.persona_id)
    // The answer of a poll that runs may be older than the change.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, next)
    void reloadPersonas(orgId)
  }
  return (
    <>
      <div className="pad stack g12">
        <p className="t12">
          <Link to="/o/$orgId/personas" params={{ orgId }} className="link">
            All personas
          </Link>
        </p>
        <div className="rail wrap g12">
          <h2 className="t16">{name}</h2>
          {role_title && <span className="two">{role_title}</span>}
          <span role="status">
            <State kind={kind}>{word}</State>
          </span>
        </div>
        {can('personas:write') && (
          <div className="rail wrap">
            {status !== 'archived' && <Button onClick={() => setEdited(true)}>Edit</Button>}
            <Moves persona={persona} onMoved={store} />
          </div>
        )}
        <Facts>
          <Fact name="Language">{voice.language ?? <span className="three">default</span>}</Fact>
          <Fact name="Speed">{voice.speed ?? <span className="three">default</span>}</Fact>
          <Fact name="Voice at the provider">
            {voice.provider_voice_id ?? <span className="three">default</span>}
          </Fact>
          <Fact name="Changed">
            <Time at={persona.updated_at} />
          </Fact>
          <Fact name="Persona id" wide>
            <span className="mono cut">{persona.persona_id}</span>
            <CopyButton text={persona.persona_id} />
          </Fact>
        </Facts>
      </div>
      <Words title="First words" text={greeting} />
      <Words title="Instructions" text={instructions} about="The prompt of the AI agent." />
      <Words title="Purpose" text={description} about="For people. The agent does not get it." />
      {isEdited && (
        <PersonaDialog
          persona={persona}
          onClose={() => setEdited(false)}
          onSaved={(saved) => {
            setEdited(false)
            void store(saved)
            showToast(`${saved.name} is saved.`)
          }}
        />
      )}
    </>
  )
}

const Words = ({ title, text, about }: { title: string; text: string | null; about?: ReactNode }) => (
  <Section title={title} about={about}>
    <SectionBody>
      {text === null ? (
        <p className="three">None.</p>
      ) : (
        <p style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxWidth: 720 }}>{text}</p>
      )}
    </SectionBody>
  </Section>
)

type Move = 'activate' | 'archive' | 'restore'

const done: Record<Move, string> = { activate: 'active', archive: 'archived', restore: 'restored' }

/** Activates a draft, archives a persona, or restores it. Archiving can be undone at once. */
function Moves({ persona, onMoved }: { persona: Persona; onMoved: (persona: Persona) => Promise<void> }) {
  const { api } = useScope()
  const { persona_id, name, status } = persona
  const move = async (how: Move): Promise<void> => {
    try {
      await onMoved(await api.personas[how](persona_id))
      const undo = { name: 'Undo', run: () => void move('restore') }
      showToast(`${name} is ${done[how]}.`, 'ok', how === 'archive' ? undo : undefined)
    } catch (error) {
      showToast(`${name} is not changed: ${problemOf(error).text}`, 'bad')
    }
  }
  const begin = useSubmit(() => move(status === 'draft' ? 'activate' : 'restore'))
  const archive = useSubmit(() => move('archive'))
  return (
    <>
      {status !== 'active' && (
        <Button kind="main" isBusy={begin.isBusy} onClick={() => begin.submit()}>
          {status === 'draft' ? 'Activate' : 'Restore'}
        </Button>
      )}
      {status !== 'archived' && (
        <Button icon="archive" isBusy={archive.isBusy} onClick={() => archive.submit()}>
          Archive
        </Button>
      )}
    </>
  )
}
