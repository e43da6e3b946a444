/**
 * Addresses that others in the network can open.
 */

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]);

/**
 * Replace "localhost" in an address by the server's address in its network. `reach` says who can open it: everybody, those
 * in the same network, or this computer only.
 *
 * @param {import("./client.js").Client} client @param {URL} page
 * @returns {Promise<{page: URL, reach: "all" | "network" | "here"}>}
 */
export async function addressInNetwork(client, page) {
  if (!LOCAL_HOSTS.has(page.hostname)) return { page, reach: "all" };
  const { host } = await client.json("address", {}).catch(() => ({ host: null }));
  if (!host) return { page, reach: "here" };
  const reachable = new URL(page);
  reachable.hostname = host;
  return { page: reachable, reach: "network" };
}
