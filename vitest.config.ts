import {defineConfig} from 'vitest/config'

// Timeouts only end what hangs: on a busy machine a test may take ten times as long.
// unit: on the sources. e2e: the built command as a child process. real: against containerd and crictl, by `npm run test:real` only. kubelets: real kubelets, by
// `npm run test:kubelets` only.
export default defineConfig({
  test: {
    // What a server of a test says about a client that left is of interest only when the test fails.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/real/**', 'test/kubelets/**', 'test/bench/**'],
          testTimeout: 60_000,
        },
      },
      {test: {name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000}},
      {
        test: {
          name: 'kubelets',
          include: ['test/kubelets/**/*.test.ts'],
          // In real time: eight minutes of a kubelet are eight minutes.
          testTimeout: 3_600_000,
          fileParallelism: false,
          sequence: {groupOrder: 2},
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: {groupOrder: 1},
        },
      },
    ],
  },
})
