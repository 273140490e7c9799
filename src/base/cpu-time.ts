// How long this process has worked, in milliseconds: unlike the time on the wall it does not pass faster when others work, too.
export function cpuMs(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1000
}
