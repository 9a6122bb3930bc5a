import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../../parts/loaded.tsx'
import { reasonsQuery, stagesQuery } from '../../../records/deals/queries.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { CloseReasons } from './close-reasons.tsx'
import { Stages } from './stages.tsx'

/** The stages of deals, and the reasons for which deals are won and lost. */
export function DealSettingsPage() {
  const scope = useScope()
  const pipeline = useQuery(stagesQuery(scope))
  const reasons = useQuery(reasonsQuery(scope))
  return (
    <>
      <SettingsHead title="Deals">
        The stages through which open deals go, and the reasons for which people close them.
      </SettingsHead>
      <Loaded query={pipeline}>{(shown) => <Stages pipeline={shown} />}</Loaded>
      <Loaded query={reasons}>{(shown) => <CloseReasons list={shown} />}</Loaded>
    </>
  )
}
