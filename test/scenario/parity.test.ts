import {tmpdir} from 'node:os'
import {expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {startSocketNode} from '../../src/lab/wire/socket-node.ts'
import {type Played, play} from '../../src/scenario/play.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'

/** A thousand pods: one kubelet shows it. */
const large = 'status-channel-backlog'

const runs = (await shippedScenarios()).flatMap((scenario) =>
  (scenario.name === large ? (['1.36.2'] as const) : (['1.17.3', '1.36.2'] as const)).map((version) => ({
    name: scenario.name,
    version,
    scenario,
  })),
)

test.each(runs)(
  '$name on $version makes the same calls and writes at the same moments through direct ports and through sockets',
  async ({scenario, version}) => {
    const options = {profile: profileOf(version), seed: scenario.seed ?? 1}
    const direct = await play(scenario, {...options, startNode: startLabNode})
    const sockets = await play(scenario, {...options, startNode: (lab) => startSocketNode(lab, tmpdir())})
    expect(sockets.failures).toEqual(direct.failures)
    expect(told(sockets).length).toBeGreaterThan(20)
    expect(told(sockets)).toEqual(told(direct))
  },
  120_000,
)

/**
 * As JSON, since what came over the wire carries along what was written. Versions count the objects of other kinds, too, that the server on TCP has, and on the
 * wire the runtime has an image's whole name.
 */
const told = ({events}: Played): readonly unknown[] =>
  JSON.parse(
    JSON.stringify(
      events.filter(({kind}) => kind === 'call' || kind === 'object'),
      (key, value) => (key === 'resourceVersion' || key === 'image' ? undefined : value),
    ),
  )
