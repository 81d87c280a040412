# Puts Ruby's Net::HTTP to the contract. It follows no redirections by itself.
require "json"
require "net/http"

BASE = URI(ENV["MOCKAPI_URL"])
ERRORS = {
  Timeout::Error => "timeout", Zlib::Error => "decoding", Net::HTTPBadResponse => "protocol", Net::ProtocolError => "protocol",
  Net::HTTPHeaderSyntaxError => "protocol", SystemCallError => "connection", IOError => "connection", EOFError => "connection"
}

PLAN = JSON.parse(Net::HTTP.get(URI(ENV["MOCKAPI_URL"] + "/__contract/plan")))

def fields(answer)
  answer.each_header.map { |name, _| [name, answer.get_fields(name)] }.to_h
end

def take(http, step, index)
  url = step.fetch("urls", [step["url"]] * step["times"])[index]
  scheme, host, port, target = url.match(%r{\A(\w+)://([^/:]+):(\d+)([^#]*)}).captures
  unless [host, port.to_i] == [BASE.host, BASE.port]
    http = Net::HTTP.new(host, port)
    http.use_ssl, http.ca_file = scheme == "https", PLAN["authority"]
  end
  body = step["bodyBase64"] ? step["bodyBase64"].unpack1("m") : step["body"]
  http.open_timeout = http.read_timeout = step["timeoutSeconds"]
  # There is no other way to give a request up than a time-out; sent again after that, it would not have been given up.
  cancelled = step["cancelWhen"] && index == 0
  http.read_timeout = step["cancelAfterMilliseconds"] / 1000.0 if cancelled
  http.max_retries = cancelled ? 0 : 1
  request = Net::HTTPGenericRequest.new(step["method"], !body.nil?, step["method"] != "HEAD", target)
  request["Accept-Encoding"] = "gzip;q=1.0,deflate;q=0.6,identity;q=0.3"
  request.instance_variable_set(:@decode_content, true) # As Net::HTTP::Get does, for methods that have a class of their own.
  step["headers"].each { |name, _| request.delete(name) } # Else a value would stand beside the library's own.
  step["headers"].each { |name, value| request.add_field(name, value) }
  request.basic_auth(step["user"], step["password"]) if step["user"]
  answer = http.request(request, body)
  { used: step["user"] ? ["user"] : [], status: answer.code.to_i, headers: fields(answer), bodyBase64: [answer.body.to_s].pack("m0") }
rescue StandardError => error
  kind = ERRORS.find { |type, _| error.is_a?(type) }&.last || "other"
  { error: kind, detail: "#{error.class}: #{error.message}".scrub }
end

def report(step, outcomes)
  text = outcomes.each_with_index.map { |outcome, index| { step: step["id"], index: index }.merge(outcome) }.to_json
  Net::HTTP.post(URI(ENV["MOCKAPI_URL"] + "/__contract/report"), text, "Content-Type" => "application/json")
end

client = Net::HTTP.start(BASE.host, BASE.port)
PLAN["steps"].each do |step|
  if step["id"].start_with?("redirect.")
    report(step, [{ skipped: "it leaves redirections to who uses it" }])
  elsif step["times"] == 1
    report(step, [take(client, step, 0)])
  else
    threads = (0...step["times"]).map { |index| Thread.new { take(Net::HTTP.new(BASE.host, BASE.port), step, index) } }
    report(step, threads.map(&:value))
  end
end
