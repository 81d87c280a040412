#!/usr/bin/perl
# Puts Perl's LWP::UserAgent to the contract.
use strict; use warnings;
use Compress::Zlib ();
use HTTP::Request;
use JSON::PP;
use LWP::UserAgent;
use MIME::Base64;

my $base = $ENV{MOCKAPI_URL};
my ($json, $other) = (JSON::PP->new->utf8, LWP::UserAgent->new);
my $client = client();

sub client { LWP::UserAgent->new(keep_alive => 1, cookie_jar => {}, requests_redirectable => [qw(GET HEAD POST PUT PATCH)]) }

sub kind {
    my ($text) = @_;
    return "timeout" if $text =~ /timeout|timed out/i;
    return "protocol" if $text =~ /Bad chunk-size|response status line|Line too long|EOF in chunk/i;
    return "connection" if $text =~ /Server closed connection|reset by peer|Can't connect|EOF|read failed|Broken pipe/i;
    return "other";
}

sub take {
    my ($step, $index) = @_;
    my $is_cancelled = $step->{cancelWhen} && $index == 0;
    # There is no other way to give a request up than a time-out.
    $client->timeout($is_cancelled ? $step->{cancelAfterMilliseconds} / 1000 : $step->{timeoutSeconds});
    my $body = exists $step->{bodyBase64} ? decode_base64($step->{bodyBase64}) : $step->{body};
    utf8::encode($body) if defined $step->{body};
    my $request = HTTP::Request->new($step->{method}, $step->{urls} ? $step->{urls}[$index] : $step->{url});
    $request->push_header($_->[0] => $_->[1]) for @{ $step->{headers} };
    $request->header("Accept-Encoding" => "gzip");
    $request->authorization_basic($step->{user}, $step->{password}) if defined $step->{user};
    $request->content($body) if defined $body;
    my $answer = $client->request($request);
    my ($died, $warning) = map { $answer->header($_) // "" } qw(X-Died Client-Warning);
    return (error => "redirects", detail => $warning) if $warning =~ /Redirect loop/;
    return (error => kind($answer->message), detail => $answer->message) if $warning eq "Internal response";
    return (error => kind($died), detail => $died) if $died || ($answer->header("Client-Aborted") // "") eq "die";
    my $content = $answer->decoded_content(charset => "none");
    return (error => "decoding", detail => "$@") unless defined $content;
    my %fields = map { my $name = $_; $name => [ $answer->header($name) ] } $answer->header_field_names;
    return (status => $answer->code + 0, headers => \%fields, bodyBase64 => encode_base64($content, ""));
}

sub report {
    my ($step, $index) = @_;
    my $text = $json->encode({ step => $step->{id}, index => $index, used => [defined $step->{user} ? "user" : ()], take($step, $index) });
    $other->post("$base/__contract/report", "Content-Type" => "application/json", Content => $text);
}

$other->post("$base/__contract/report", Content => '{"has": ["cookies"]}');
for my $step (@{ $json->decode($other->get("$base/__contract/plan")->content)->{steps} }) {
    # A process for each of many requests at once, with connections of its own.
    for my $index (0 .. $step->{times} - 2) { fork() // die or do { $client = client(); report($step, $index); exit } }
    report($step, $step->{times} - 1);
    1 while wait() > 0;
}
