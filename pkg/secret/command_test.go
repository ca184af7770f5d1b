package secret

import "testing"

func TestScanCommands(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Arguments": {
			reason: "A flag has its value behind an equals sign or in the next element.",
			text: `
args: [--user=app, --db-password=Xk29, --token, 8f1d, --config=/etc/x, --password, $(PW), --api-key, --verbose]
more: [--password-file, /x, --token=$TOKEN, --auth-token-webhook=yes9, --secret=ns/my-tls, -password=Xk29]
sh: [sh, -c, "login --password Xk29 && run --token ${T} --password-stdin"]
`,
			want: map[string][]string{"args[1]": argument, "args[3]": argument, "more[5]": argument, "sh[2]": argument},
		},
		"Users": {
			reason: "curl and login take passwords in flags that elsewhere mean something else.",
			text: `
list:
- curl -u admin:Xk29 http://x
- curl -s -uadmin:Xk29 http://x
- curl --user admin:$PW http://x
- docker run -u 1000:1000 x
- docker run -u app:app x
- docker login -u me -p Xk29 registry.test
- 'curl -H "Private-Token: Xk29" http://x'
- 'curl -H "Accept: text/html" http://x'
- "curl \\\n  -u admin:Xk29 \\\n  http://x"
args: [curl, -u, "admin:Xk29"]
`,
			want: map[string][]string{
				"list[0]": argument, "list[1]": argument, "list[5]": argument, "list[6]": argument, "list[8]": argument,
				"args[2]": argument,
			},
		},
		"Clients": {
			reason: "Clients of databases and directories take a password by a flag that does not say so, as probes do (near case E7).",
			text: `
list:
- redis-cli -h cache -a Xk29 ping
- mysqladmin -uroot -pXk29 ping
- kubectl exec db -- /usr/bin/mysql -u root -pXk29
- sshpass -p Xk29 ssh host
- mongosh -u app -p Xk29
- ldapsearch -x -D cn=admin -w Xk29
- redis-cli -a "$REDIS_PASSWORD" ping
- mysqladmin -uroot -p"${MYSQL_ROOT_PASSWORD}" ping
- mysql -u root -p app
- exporter --host mysql -port=3306 -protocol tcp
- curl -p -a x http://mysql
probe: [redis-cli, -a, Xk29, ping]
`,
			want: map[string][]string{
				"list[0]": argument, "list[1]": argument, "list[2]": argument, "list[3]": argument, "list[4]": argument, "list[5]": argument,
				"probe[2]": argument,
			},
		},
		"Headers": {
			reason: "The credentials of an Authorization header are a secret in every spelling of the header.",
			text: `
a: "curl -H 'Authorization: Bearer eyJx.y.z' http://x"
b: {Authorization: Basic dXNlcjpwdw==}
c: {authorization: "Bearer {{ .token }}"}
d: "Bearer eyJhbGciOi.x.y"
e: "curl -H \"Authorization: Bearer $TOKEN\""
f: "Authorization: Bearer <token>"
g: {authorization: simple}
h: Basic authentication
i: {headers: [{name: Authorization, value: Bearer eyJx.y.z}]}
j: "the header Authorization: Bearer token is needed"
k: |
  proxy_set_header Authorization "Basic dXNlcjpwdw==";
l: |
  proxy_set_header "Authorization" "Bearer $token";
`,
			want: map[string][]string{
				"a": header, "b.Authorization": header, "d": header, "f": {"info secret-authorization"}, "i.headers[0].value": header,
				"k": header,
			},
		},
		"Java": {
			reason: "The JDK's default key store password guards nothing and is known to all; others are secrets.",
			text: `
a: -Xmx1g -Djavax.net.ssl.keyStorePassword=changeit -Dlog=x
b: -Djavax.net.ssl.trustStorePassword=Xk29
c: -Ddb.password=${DB_PASSWORD}
`,
			want: map[string][]string{
				"a": {"warning secret-java-property"}, "b": {"error secret-java-property"},
			},
		},
		"Files": {
			reason: "Configuration files inside a string hold secrets line by line, in every common syntax.",
			text: `
ini: |
  [security]
  admin_password = Xk29
ref: |
  [security]
  admin_password = $__env{PW}
props: "a=b\nspring.datasource.password=Xk29\n"
grafana: "[database]\n;password = Xk29\n"
redis: "maxmemory 1g\nrequirepass Xk29\n"
script: |
  export DB_PASSWORD=Xk29
  run
safe: |
  set -e
  export DB_PASSWORD="$(cat /run/secrets/db)"
  TOKEN=$1
  if [ "$PASSWORD" = "" ]; then echo "password: not set"; fi
  token == "abc"
  password = config.database.password
  local password = "$(cat /run/secrets/db)"
  ALTER ROLE app PASSWORD '${DB_PASSWORD}';
  set the password 'as you like'
json: |
  curl -d '{"user":"me","password":"Xk29"}' http://x
conn: Server=db;User Id=sa;Password=Xk29;
helm: helm install --set auth.password=Xk29 x
literals: [password=Xk29, level=debug]
lua: |
  local password = "Xk29"
py: |
  os.environ['DB_PASSWORD'] = 'Xk29'
go: |
  var token = x; apiKey := "Xk29"
sql: |
  CREATE USER app
    WITH PASSWORD 'Xk29';
mysql: |
  create user 'app'@'%' identified by 'Xk29';
netrc: machine git.example.test login me password Xk29
query: sum(rate({token="x9"}[5m]))
`,
			want: map[string][]string{
				"ini": assignment, "grafana": assignment, "props": assignment, "redis": assignment, "script": assignment, "json": assignment,
				"conn": assignment, "helm": assignment, "literals[0]": assignment,
				"lua": assignment, "py": assignment, "go": assignment, "sql": assignment, "mysql": assignment, "netrc": assignment,
			},
		},
		"Hashes": {
			reason: "Passwords can be tried on a hash, which stands under any name; digests are none.",
			text: `
auth: {users: ["admin:$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/"]}
web.yml: |
  basic_auth_users:
    admin: $2b$12$hNf2lSsxfm0.i4a.1kVpSOVyBCfIB51VRjgBUyv6kdnyTlgWj81Ay
shadow: "root:$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/:19000::::::"
ldap: "{SSHA}5en6G6MezRroT3XKqkdPOmY/BfQ4xKXv"
argon: $argon2id$v=19$m=65540,t=3,p=4$bXBGMENBZUVzT3VUSFE$T9m73OdD2mz9aJKLuOAdbvoARdaKxtOZ
adminPassword: $2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W
# users: admin:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=
replacement: $1$2/$5$a/some/path/that/is/long/enough/to/be/mistaken
image: app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
`,
			want: map[string][]string{
				"auth.users[0]": hash, `["web.yml"]#basic_auth_users.admin`: hash, "shadow": hash, "ldap": hash, "argon": hash, "adminPassword": hash,
			},
		},
	})
}
