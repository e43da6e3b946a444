/**
 * Addresses that others in the network can open.
 */

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]);

/**
 * Replace "localhost" in an address by the server's address in its network, with a note for the reader.
 *
 * @param {import("./client.js").Client} client @param {URL} page
 * @returns {Promise<{page: URL, note: string}>}
 */
export async function addressInNetwork(client, page) {
  if (!LOCAL_HOSTS.has(page.hostname)) return { page, note: "" };
  const { host } = await client.json("address", {}).catch(() => ({ host: null }));
  if (!host) return { page, note: "This link works only on this computer: its address in a network is not known." };
  const reachable = new URL(page);
  reachable.hostname = host;
  return { page: reachable, note: "For everybody in the same network as this computer." };
}
