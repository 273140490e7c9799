// Which lists a strategic merge patch merges, and by which key. Upstream: the tags patchStrategy and patchMergeKey of k8s.io/api, v0.37.2.

export interface PatchSchema {
  readonly [field: string]: FieldSchema
}

export interface FieldSchema {
  /** A list of objects is merged by this field, one of values when it is ''; absent: it is replaced, or no list. */
  readonly mergeKey?: string
  /** Of what is in it. */
  readonly of?: PatchSchema
}

const by = (mergeKey: string, of?: PatchSchema): FieldSchema => (of === undefined ? {mergeKey} : {mergeKey, of})

const metadata: FieldSchema = {of: {finalizers: by(''), ownerReferences: by('uid')}}

const container: PatchSchema = {
  env: by('name'),
  ports: by('containerPort'),
  volumeMounts: by('mountPath'),
  volumeDevices: by('devicePath'),
}

export const podSchema: PatchSchema = {
  metadata,
  spec: {
    of: {
      volumes: by('name'),
      containers: by('name', container),
      initContainers: by('name', container),
      ephemeralContainers: by('name', container),
      imagePullSecrets: by('name'),
      hostAliases: by('ip'),
      topologySpreadConstraints: by('topologyKey'),
      schedulingGates: by('name'),
      resourceClaims: by('name'),
    },
  },
  // Not containerStatuses: they are replaced as a whole.
  status: {of: {conditions: by('type'), podIPs: by('ip'), hostIPs: by('ip'), resourceClaimStatuses: by('name')}},
}

export const nodeSchema: PatchSchema = {
  metadata,
  spec: {of: {podCIDRs: by('')}},
  status: {of: {conditions: by('type'), addresses: by('type')}},
}

export const serviceSchema: PatchSchema = {
  metadata,
  spec: {of: {ports: by('port')}},
  status: {of: {conditions: by('type')}},
}

export const serviceAccountSchema: PatchSchema = {metadata, secrets: by('name')}

export const csiNodeSchema: PatchSchema = {metadata, spec: {of: {drivers: by('name')}}}

export const statusSchema: PatchSchema = {metadata, status: {of: {conditions: by('type')}}}

export const genericSchema: PatchSchema = {metadata}
