// A lab that is up, and what to try with it.
import {shellWord} from '../findings/shell-word.ts'
import type {LabRecord} from '../lab/up/lab-record.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'

export async function renderLab(record: LabRecord, output: 'table' | 'json' | 'yaml', folder: string): Promise<string> {
  if (output !== 'table') return await dataText({apiVersion: 'kubelimbo/v1', kind: 'Lab', ...record}, output)
  return `${[...facts(record), '', 'Try:', ...things(record, folder).map((line) => `  ${line}`)].map(oneLine).join('\n')}\n`
}

function facts({
  pid,
  profile,
  scale,
  scenario,
  kubeconfig,
  server,
  runtime,
  drivers,
  kubeletUrl,
  kubeletRoot,
  kubeletLog,
  claims,
}: LabRecord): readonly string[] {
  const speed = scale === 1 ? '' : `, ${scale} times as fast as it is`
  return [
    `A lab is up, with pid ${pid}: kubelet ${profile}${speed}${scenario === undefined ? '' : `, playing ${scenario}`}`,
    `  API server    ${server}, kubeconfig ${kubeconfig}`,
    `  runtime       ${runtime}`,
    ...drivers.map(({name, endpoint}) => `  CSI driver    ${name}, ${endpoint}`),
    `  kubelet       ${kubeletUrl}, root ${kubeletRoot}, log ${kubeletLog}`,
    ...(claims.length === 0 ? [] : [`  claims        ${claims.join(', ')}`]),
  ]
}

function things(
  {kubeconfig, runtime, drivers, kubeletRoot, kubeletUrl, kubeletLog, mountinfo, claims}: LabRecord,
  folder: string,
): readonly string[] {
  const [driver] = drivers
  const [claim] = claims
  const node = `--kubelet-root ${shellWord(kubeletRoot)} --kubelet-url ${shellWord(kubeletUrl)} --kubelet-log ${shellWord(kubeletLog)} --mountinfo ${shellWord(mountinfo)}`
  return [
    `export KUBECONFIG=${shellWord(kubeconfig)} CONTAINER_RUNTIME_ENDPOINT=${shellWord(runtime)} NODE_NAME=lab`,
    'kubectl run web --image=busybox --command -- sleep infinity',
    'kubectl get pods -w',
    'crictl pods',
    `kubelimbo pods`,
    `kubelimbo check ${node}`,
    ...(driver === undefined || claim === undefined ? [] : [`kubelimbo inject stage-hang --pvc ${shellWord(claim)} --for 30s ${node}`]),
    ...(driver === undefined ? [] : [`kubelimbo exam --csi-endpoint ${shellWord(driver.endpoint)}`]),
    'kubectl delete pod web',
    `kubelimbo lab down --dir ${shellWord(folder)}`,
  ]
}
